import type { VNode } from 'preact';
import { isAccepted, MAX_REASON } from '../../core/builds/acceptance.ts';
import type { FlagResult } from '../../core/builds/build.ts';
import { checksOf } from '../../core/builds/build-checks.ts';
import type { BuildView } from '../../core/builds/build-summary.ts';
import { printable } from '../../core/printable.ts';
import type { Timestamp } from '../../core/time.ts';
import { listChecks } from '../../core/verdict/checks.ts';
import type { SiteLinks } from '../../platform/web/site-links.ts';
import { When } from '../../platform/web/when.tsx';
import { namesOf } from '../../wording/check-words.ts';
import { Words } from './build/checks.tsx';

export interface AcceptanceProps {
  readonly build: Pick<BuildView, 'id' | 'result'>;
  /** Those that the page shows, failing ones first. */
  readonly flags: readonly FlagResult[];
  readonly links: Pick<SiteLinks, 'accept'>;
  /** For the viewer's session; undefined for readers who may not accept a failure: then there is no form. */
  readonly csrf: string | undefined;
  readonly now: Timestamp;
}

/** Says that a failure was accepted, who accepted it and why; else the form to accept it. Nothing if nothing fails. */
export function Acceptance({ build, flags, links, csrf, now }: AcceptanceProps): VNode | null {
  const { result } = build;
  if (result === undefined) return null;
  const { acceptance, verdict } = result;
  const failing = checksOf({ ...result, flags }).filter((check) => check.verdict.state === 'failure');
  const isJudged = verdict.state === 'success' || verdict.state === 'failure';
  const accepted = listChecks(failing.filter((check) => isAccepted(check.verdict)));
  return (
    <>
      {acceptance && (
        <div class={acceptance.holds ? 'note good' : 'note warn'}>
          <p>
            Accepted by <b>{printable(acceptance.by, 60)}</b>, <When at={acceptance.at} now={now} />:{' '}
            {printable(acceptance.reason, MAX_REASON)}
          </p>
          {accepted.ids.length > 0 && (
            <p>
              It covers <Words phrase={namesOf(accepted)} />
              {acceptance.holds ? '.' : '; other checks fail now, or with lower numbers than then.'}
            </p>
          )}
          {accepted.ids.length === 0 && <p>It covers none of the checks that fail now.</p>}
          {csrf !== undefined && (
            <form class="row" method="post" action={links.accept(build.id, 'undo')}>
              <input type="hidden" name="csrf" value={csrf} />
              <button type="submit">Withdraw</button>
            </form>
          )}
        </div>
      )}
      {isJudged && failing.length > 0 && !acceptance?.holds && csrf !== undefined && (
        <details class="aside">
          <summary>Accept anyway</summary>
          <form class="row" method="post" action={links.accept(build.id)}>
            <input type="hidden" name="csrf" value={csrf} />
            <input type="hidden" name="closed_at" value={new Date(result.closedAt).toISOString()} />
            <label for="accept-reason">Reason</label>
            <input id="accept-reason" name="reason" required maxLength={MAX_REASON} autocomplete="off" />
            <button type="submit">Accept</button>
          </form>
          <p class="quiet small">
            Your name and reason appear in the status and comment. Applies to this build only, and to the checks that
            fail now.
          </p>
        </details>
      )}
    </>
  );
}
