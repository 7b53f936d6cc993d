import type { VNode } from 'preact';
import { MAX_REASON } from '../../core/builds/acceptance.ts';
import type { FlagResult } from '../../core/builds/build.ts';
import type { BuildView } from '../../core/builds/build-summary.ts';
import { printable } from '../../core/printable.ts';
import type { Timestamp } from '../../core/time.ts';
import type { SiteLinks } from '../../platform/web/site-links.ts';
import { When } from '../../platform/web/when.tsx';

export interface AcceptanceProps {
  readonly build: Pick<BuildView, 'id' | 'result'>;
  /** Those that the page shows, failing ones first. */
  readonly flags: readonly Pick<FlagResult, 'verdict'>[];
  readonly links: Pick<SiteLinks, 'accept'>;
  /** Of the viewer's session; undefined for whoever may not accept a failure here: then there is no form. */
  readonly csrf: string | undefined;
  readonly now: Timestamp;
}

/** That a failure was accepted, by whom and why; else the form by which a maintainer does. Nothing where none fails. */
export function Acceptance({ build, flags, links, csrf, now }: AcceptanceProps): VNode | null {
  const { result } = build;
  if (result === undefined) return null;
  const { acceptance, verdict, patch } = result;
  const states = [verdict, patch?.verdict, ...flags.map((flag) => flag.verdict)].map((one) => one?.state);
  const isJudged = verdict.state === 'success' || verdict.state === 'failure';
  const mayBeAccepted = isJudged && states.includes('failure');
  return (
    <>
      {acceptance && (
        <div class={acceptance.holds ? 'note good' : 'note warn'}>
          <p>
            Accepted by <b>{printable(acceptance.by, 60)}</b>, <When at={acceptance.at} now={now} />:{' '}
            {printable(acceptance.reason, MAX_REASON)}
          </p>
          {!acceptance.holds && <p>That does not hold for all that fails now.</p>}
          {csrf !== undefined && (
            <form class="row" method="post" action={links.accept(build.id, 'undo')}>
              <input type="hidden" name="csrf" value={csrf} />
              <button type="submit">Take it back</button>
            </form>
          )}
        </div>
      )}
      {mayBeAccepted && !acceptance?.holds && csrf !== undefined && (
        <details class="aside">
          <summary>Accept this failure</summary>
          <form class="row" method="post" action={links.accept(build.id)}>
            <input type="hidden" name="csrf" value={csrf} />
            <input type="hidden" name="closed_at" value={new Date(result.closedAt).toISOString()} />
            <label for="accept-reason">Why it may pass</label>
            <input id="accept-reason" name="reason" required maxLength={MAX_REASON} autocomplete="off" />
            <button type="submit">Accept</button>
          </form>
          <p class="quiet small">Statuses and comment will name you and your reason, for this build alone.</p>
        </details>
      )}
    </>
  );
}
