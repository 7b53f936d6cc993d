import type { VNode } from 'preact';
import { MAX_REASON } from '../../core/builds/acceptance.ts';
import { printable } from '../../core/printable.ts';
import type { PageContext } from '../../platform/web/page-context.ts';
import { When } from '../../platform/web/when.tsx';
import { shortCommit, titleOf } from '../../wording/build-name.ts';
import { clientName } from '../../wording/client-name.ts';
import { TOKEN_LOST } from '../read-repo.ts';
import type { SettingsPage } from '../show-settings-page.ts';
import { Panel, Sending } from './settings-fields.tsx';
import { badgeText, Snippet } from './snippets.tsx';

export function RatchetForm({
  shown: { repo },
  page,
}: {
  readonly shown: SettingsPage;
  readonly page: PageContext;
}): VNode {
  const { ratchetReset: last } = repo.settings;
  const label = 'Why it is lowered';
  return (
    <Panel
      id="ratchet"
      name="Ratchet"
      about="The total may not fall below the best one so far. Lowering it forgets all earlier totals."
    >
      {last === undefined ? null : (
        <p>
          Lowered <When at={last.at} now={page.now} /> by {printable(last.by, 60)}: {printable(last.reason, 500)}
        </p>
      )}
      <Sending repo={repo} page={page} what="ratchet" class="row">
        <input name="reason" aria-label={label} placeholder={label} size={40} required maxlength={MAX_REASON} />
        <button type="submit" class="danger">
          Lower the ratchet
        </button>
      </Sending>
    </Panel>
  );
}

export function HostToken(props: {
  readonly shown: SettingsPage;
  readonly host: NonNullable<SettingsPage['hostToken']>;
  readonly page: PageContext;
}): VNode {
  const { shown, host, page } = props;
  const { repo } = shown;
  const label = `${host.name} token for this repo`;
  return (
    <Panel
      id="host-token"
      name={`Token at ${host.name}`}
      about={`Used for this repo in place of ${host.credential}. It is stored encrypted, and never shown again.`}
    >
      <p>
        {host.state === 'none' && 'This server’s own token is used.'}
        {host.state === 'lost' && 'No key of this server can decrypt its token, so this server’s own is used.'}
        {host.state === 'set' && repo.hostToken !== undefined && (
          <>
            It has one, set <When at={repo.hostToken.at} now={page.now} />.
          </>
        )}
      </p>
      <Sending repo={repo} page={page} what="host-token" class="row">
        <input name="host_token" type="password" aria-label={label} placeholder={label} size={28} autocomplete="off" />
        <button type="submit">Use this token</button>
      </Sending>
      {host.state === 'none' ? null : (
        <Sending repo={repo} page={page} what="host-token-remove" class="row">
          <button type="submit" class="danger">
            Remove it
          </button>
        </Sending>
      )}
    </Panel>
  );
}

export function Webhook({
  shown: { repo },
  page,
}: {
  readonly shown: SettingsPage;
  readonly page: PageContext;
}): VNode {
  return (
    <Panel
      id="webhook"
      name="Webhook"
      about="The git host uses it to tell this server what happened. Without it, builds finish later."
    >
      <Sending repo={repo} page={page} what="webhook" class="row">
        <button type="submit">Create or repair the webhook</button>
      </Sending>
    </Panel>
  );
}

export function Tokens({
  shown,
  page,
  root,
}: {
  readonly shown: SettingsPage;
  readonly page: PageContext;
  readonly root: string;
}) {
  const { repo, token, badgeToken, effective } = shown;
  const origin = new URL(root).origin;
  const query = { t: effective.visibility === 'public' ? undefined : badgeToken };
  const badge = badgeText(origin + page.links.badge(repo, query), origin + page.links.repo(repo));
  return (
    <Panel id="tokens" name="Tokens" about="CI uploads with the repo token. The badge token can only read the badge.">
      <div class="field">
        <b>Repo token</b>
        {token === undefined ? <p>{TOKEN_LOST}</p> : <p class="secret">{token}</p>}
        {token?.includes('•') && <a href={page.links.ofRepo(repo, 'settings/tokens', { show: 'token' })}>Show it</a>}
        <LastUse shown={shown} page={page} />
      </div>
      <Sending repo={repo} page={page} what="token" class="row">
        <label class="row">
          Keep the old one valid for{' '}
          <select name="grace_period">
            <option value="24h">24 hours</option>
            <option value="7d">7 days</option>
            <option value="0s">no time</option>
          </select>
        </label>
        <button type="submit">Rotate repo token</button>
      </Sending>
      <div class="field">
        <b>Badge</b>
        <Snippet text={badge} />
      </div>
    </Panel>
  );
}

function LastUse({
  shown: { lastUse, useWarnings },
  page,
}: {
  readonly shown: SettingsPage;
  readonly page: PageContext;
}) {
  return (
    <>
      <p class="quiet small">
        {lastUse === undefined ? (
          'No uploads with it yet.'
        ) : (
          <>
            Last used <When at={lastUse.at} now={page.now} />
            {lastUse.client !== undefined && <LastClient told={lastUse.client} />}
          </>
        )}
      </p>
      {useWarnings.map((sentence) => (
        <div class="note warn">
          <p>{printable(sentence, 600)}</p>
        </div>
      ))}
    </>
  );
}

/** As `<User-Agent> · <CI>`. */
function LastClient({ told }: { readonly told: string }): VNode {
  const [agent = '', ...others] = told.split(' · ');
  return (
    <span title={printable(told, 200)}>
      {' '}
      by {[clientName(agent), ...others.map((other) => printable(other, 60))].join(' · ')}
    </span>
  );
}

export function Bases({ shown, page }: { readonly shown: SettingsPage; readonly page: PageContext }): VNode {
  const { repo, excluded } = shown;
  return (
    <Panel id="bases" name="Not used as a base" about="No build is compared with these.">
      {excluded.length === 0 && <p class="quiet">Every build can be used as a base.</p>}
      {excluded.map((build) => (
        <Sending repo={repo} page={page} what="base" class="row">
          <input type="hidden" name="build" value={build.id} />
          <span>
            <a href={page.links.build(build.id)}>{titleOf(build, page.links.terms(repo))}</a>{' '}
            {build.commit !== undefined && <span class="ref">{shortCommit(build.commit)}</span>}{' '}
            <span class="quiet">by {printable(build.excludedAsBase?.by ?? '', 60)}</span>
          </span>
          <button type="submit">Use as a base again</button>
        </Sending>
      ))}
    </Panel>
  );
}

export function Remove({ shown: { repo }, page }: { readonly shown: SettingsPage; readonly page: PageContext }): VNode {
  const confirm = `Type ${printable(repo.name)} to confirm`;
  return (
    <Panel id="remove" name="Remove" about="Deletes builds, files and tokens. Open statuses are completed first.">
      <Sending repo={repo} page={page} what="remove" class="row">
        <input name="confirm" aria-label={confirm} placeholder={confirm} size={28} autocomplete="off" />
        <button type="submit" class="danger">
          Remove this repo
        </button>
      </Sending>
    </Panel>
  );
}
