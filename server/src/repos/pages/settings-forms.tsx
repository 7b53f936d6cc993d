import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { nameContext, STATUS_NAME_SETS } from '../../core/announce/contexts.ts';
import { printable } from '../../core/printable.ts';
import type { EffectiveSettings } from '../../core/repo/effective-settings.ts';
import type { FlagSettings, StatusNames } from '../../core/repo/setting.ts';
import { type RepoSettings, SETTINGS } from '../../core/repo/settings.ts';
import { Inputs } from './setting-inputs.tsx';
import type { SettingRule, SettingRules } from './setting-rules.tsx';
import { Cell, Check, type FormProps, Radio, RowProblems, Save, Sending, Sent, Text } from './settings-fields.tsx';

/** A form of settings, some of which the repo's own file or the server decides. */
type RuledForm = FormProps & { readonly rules: SettingRules };

export function ThresholdsForm(props: RuledForm & { readonly settings: RepoSettings }): VNode {
  const { repo, settings, rules, page } = props;
  return (
    <Sending repo={repo} page={page}>
      <Inputs section="thresholds" settings={settings} rules={rules} />
      <div class="row">
        <button class="primary" type="submit" name="do" value="thresholds">
          Save thresholds
        </button>
        <button type="submit" name="do" value="preview">
          Preview
        </button>
      </div>
    </Sending>
  );
}

export function StatusesForm(props: RuledForm & { readonly ownNames: StatusNames }): VNode {
  const { repo, ownNames, rules, page } = props;
  const { statusNames } = repo.settings;
  const isSet = (set: StatusNames): boolean => JSON.stringify(set) === JSON.stringify(statusNames);
  const chosen =
    statusNames === undefined
      ? ''
      : isSet(STATUS_NAME_SETS.coveralls)
        ? 'coveralls'
        : isSet(STATUS_NAME_SETS.codecov)
          ? 'codecov'
          : 'own';
  const names = statusNames ?? ownNames;
  return (
    <Sending repo={repo} page={page} what="statuses">
      <Inputs section="statuses" settings={repo.settings} rules={rules} />
      <fieldset class="field">
        <legend>Names</legend>
        <Radio name="names" value="" chosen={chosen} label="Ours" help={<Names names={ownNames} />} />
        <Radio
          name="names"
          value="coveralls"
          chosen={chosen}
          label="As Coveralls names them"
          help={<Names names={STATUS_NAME_SETS.coveralls} />}
        />
        <Radio
          name="names"
          value="codecov"
          chosen={chosen}
          label="As Codecov names them"
          help={<Names names={STATUS_NAME_SETS.codecov} />}
        />
        <Radio
          name="names"
          value="own"
          chosen={chosen}
          label="Custom names"
          help="In these fields; <flag> stands for the flag."
        />
        <div class="fields">
          {(['build', 'flag', 'patch'] as const).map((place) => (
            <Text
              name={`name_${place}`}
              label={{ build: 'Build', flag: 'Each flag', patch: 'Changed lines' }[place]}
              value={chosen === 'own' ? names[place] : ''}
              placeholder={names[place]}
            />
          ))}
        </div>
      </fieldset>
      <p class="quiet small">
        After a change, open {page.links.terms(repo).pullRequest}s get both the old and the new names until they close,
        so nothing is blocked.
      </p>
      <Save>Save statuses</Save>
    </Sending>
  );
}

function Names({ names }: { readonly names: StatusNames }): VNode {
  return (
    <>
      <code>{names.build}</code> <code>{nameContext(names, { flag: 'web' })}</code> <code>{names.patch}</code>
    </>
  );
}

export function CommentForm(props: RuledForm & { readonly noAnnotations: string | undefined }) {
  const { repo, noAnnotations, rules, page } = props;
  const { commentOnPullRequests, commentMode } = repo.settings;
  const rule = rules.get('commentMode');
  const chosen = commentOnPullRequests ? commentMode : 'never';
  const help = noAnnotations === undefined ? {} : { annotations: `Not here: ${noAnnotations}.` };
  return (
    <Sending repo={repo} page={page} what="comment">
      <fieldset class="field">
        <legend>When to comment</legend>
        {Object.entries({ ...SETTINGS.commentMode.choices, never: 'Never' }).map(([mode, label]) => (
          <Radio name="comment" value={mode} chosen={chosen} label={label} rule={rule && asForm(rule)} />
        ))}
        {rule?.isLocked && <input type="hidden" name="comment" value={chosen} />}
        {rule?.words}
      </fieldset>
      <Inputs section="comment" settings={repo.settings} rules={rules} help={help} />
      <Save>Save comment</Save>
    </Sending>
  );
}

/** The file says `off`, the form `never`. */
function asForm(rule: SettingRule): SettingRule {
  return rule.value === 'off' ? { ...rule, value: 'never' } : rule;
}

export function BuildsForm({ repo, effective, page }: FormProps & { readonly effective: EffectiveSettings }): VNode {
  const { defaultBranches, visibility, acceptForks } = effective;
  const goesBy = {
    defaultBranch: defaultBranches.join(' or '),
    visibility,
    acceptForks: acceptForks ? 'accepted' : 'rejected',
  };
  return (
    <Sending repo={repo} page={page} what="builds">
      <Inputs section="builds" settings={repo.settings} goesBy={goesBy} />
      <Save>Save builds</Save>
    </Sending>
  );
}

const FLAG_FIELDS = ['flag', 'minimum', 'allowed_drop', 'informational'];
/** Rows beyond those that are stored that a form may have had. */
const MAX_NEW_ROWS = 20;

/** A row for each flag that has settings, and one for another. */
export function FlagsForm({ repo, children, page }: FormProps & { readonly children: VNode | null }): VNode {
  const empty: FlagSettings = { flag: '', minimum: null, allowedDrop: null, informational: false };
  const sent = useContext(Sent);
  const stored = repo.settings.flagSettings;
  // A row that was sent stays, though another one removed it in the meantime.
  const isSent = (row: number): boolean => sent !== undefined && sent.values(`flag_${row}`) !== '';
  const more = Array.from({ length: MAX_NEW_ROWS }, (_, at) => stored.length + at).findLastIndex(isSent);
  const rows = [...stored, ...Array.from({ length: Math.max(1, more + 1) }, () => empty)];
  return (
    <Sending repo={repo} page={page} what="flags">
      {rows.map((row, index) => (
        <div class="row flagrow">
          <Cell name={`flag_${index}`} value={row.flag} label="Flag" placeholder="Another flag" size={16} />
          <Cell
            name={`minimum_${index}`}
            value={String(row.minimum ?? '')}
            label={`Minimum of ${printable(row.flag, 60)}, percent`}
            placeholder="minimum %"
            size={10}
            isNumber
          />
          <Cell
            name={`allowed_drop_${index}`}
            value={String(row.allowedDrop ?? '')}
            label={`Allowed drop of ${printable(row.flag, 60)}, points`}
            placeholder="drop, points"
            size={10}
            isNumber
          />
          <Check name={`informational_${index}`} label="informational" on={row.informational} />
          <RowProblems names={FLAG_FIELDS.map((field) => `${field}_${index}`)} />
        </div>
      ))}
      <p class="quiet small">Clear a name to remove its row. Save to add another.</p>
      {children}
      <Save>Save flags</Save>
    </Sending>
  );
}
