import type { VNode } from 'preact';
import type { JudgedRules, RuleValue } from '../../core/builds/judged-rules.ts';
import { NOT_SET, rulesOfSettings } from '../../core/builds/list-rules.ts';
import { printable } from '../../core/printable.ts';
import type { SettingName } from '../../core/repo/settings.ts';
import { Icon } from '../../platform/web/icons.tsx';
import type { SettingsPage } from '../show-settings-page.ts';

/** What decides in place of a setting, or beside it. */
export interface SettingRule {
  /** As the form shows it. */
  readonly value: string;
  /** The repo's own file decides alone: what the setting says is kept, and cannot be changed here. */
  readonly isLocked: boolean;
  readonly words: VNode;
}

export type SettingRules = ReadonlyMap<SettingName, SettingRule>;

/** What the repo's own file and the server decide. `link`: to the page of rules. */
export function settingRules({ repo, rules }: Pick<SettingsPage, 'repo' | 'rules'>, link: string): SettingRules {
  const decided = rulesOfSettings(rules?.values ?? []);
  const isFirst = repo.settings.configFile === 'on';
  return new Map(
    [...decided].map(([name, rule]) => {
      const isLocked = isFirst && rule.from === 'file';
      const value = rule.value === NOT_SET ? '' : rule.value;
      return [
        name,
        { value, isLocked, words: <Decides rule={rule} isLocked={isLocked} file={rules?.file} link={link} /> },
      ];
    }),
  );
}

function Decides(props: {
  readonly rule: RuleValue;
  readonly isLocked: boolean;
  readonly file: JudgedRules['file'];
  readonly link: string;
}): VNode {
  const { rule, isLocked, file, link } = props;
  if (rule.from === 'server') return <span class="help">This server asks for at least {rule.value}%.</span>;
  const source = <RuleSource rule={rule} file={file} link={link} />;
  if (!isLocked)
    return (
      <span class="help">
        Stricter: {rule.value}, by {source}.
      </span>
    );
  return (
    <p class="fromfile">
      <Icon name="lock" /> <span>Set in {source}</span>
    </p>
  );
}

const FROM = { settings: 'Settings', server: 'this server', default: 'default' } as const;

/** Where a rule comes from; a line of the file is a link. `link`: to the page of rules; empty on that page itself. */
export function RuleSource(props: {
  readonly rule: Pick<RuleValue, 'from' | 'line'>;
  readonly file: JudgedRules['file'];
  readonly link: string;
}): VNode | string {
  const { rule, file, link } = props;
  const { from, line } = rule;
  if (from !== 'file') return FROM[from];
  const path = file?.path ?? 'coverage.yml';
  const name = printable(path.split('/').at(-1) ?? path, 60);
  return line === undefined ? name : <a href={`${link}#l${line}`}>{`${name}, line ${line}`}</a>;
}

/** What the file says about single flags. */
export function RulesOfFlags(props: { readonly rules: SettingsPage['rules']; readonly link: string }): VNode | null {
  const { rules, link } = props;
  const ofFlags = (rules?.values ?? []).filter(({ key, from }) => from === 'file' && key.startsWith('flags.'));
  if (ofFlags.length === 0) return null;
  return (
    <div class="fromfile">
      <Icon name="lock" />{' '}
      <ul>
        {ofFlags.slice(0, MAX_FLAG_RULES).map((rule) => (
          <li>
            <code>{printable(rule.key.slice('flags.'.length), 80)}</code> is {printable(rule.value, 60)}, by{' '}
            <RuleSource rule={rule} file={rules?.file} link={link} />
          </li>
        ))}
        {ofFlags.length > MAX_FLAG_RULES && (
          <li>
            <a href={link}>All {ofFlags.length}</a>
          </li>
        )}
      </ul>
    </div>
  );
}

const MAX_FLAG_RULES = 10;
