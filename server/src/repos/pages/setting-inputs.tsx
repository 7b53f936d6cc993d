import type { VNode } from 'preact';
import type { Setting } from '../../core/repo/setting.ts';
import {
  type NamedSetting,
  type RepoSettings,
  type SettingName,
  type SettingsSection,
  settingsOf,
} from '../../core/repo/settings.ts';
import { writeSetting } from '../../platform/http/written-settings.ts';
import type { SettingRules } from './setting-rules.tsx';
import { Check, Limit, Select, Text } from './settings-fields.tsx';

type Words = { readonly [Name in SettingName]?: string };

interface Shown {
  readonly settings: RepoSettings;
  /** In place of a setting's own. */
  readonly help?: Words;
  /** What the repo goes by where a setting is left open. */
  readonly goesBy?: Words;
  /** What decides in place of settings. */
  readonly rules?: SettingRules;
}

/** The inputs of one part of the page, except for settings that it shows in its own way. */
export function Inputs({ section, ...of }: Shown & { readonly section: SettingsSection }): VNode {
  const shown = settingsOf(section).filter(({ label }) => label !== undefined);
  const inputs = (isWanted: (setting: NamedSetting) => boolean): readonly VNode[] =>
    shown.filter(isWanted).map((setting) => <Input setting={setting} {...of} />);
  const limits = inputs(isLimit);
  const checks = inputs(isCheck);
  return (
    <>
      {limits.length > 0 && <div class="fields">{limits}</div>}
      {inputs((setting) => !isLimit(setting) && !isCheck(setting))}
      {checks.length > 0 && <div class="field">{checks}</div>}
    </>
  );
}

function isLimit({ kind }: Setting): boolean {
  return kind === 'limit' || kind === 'limit-or-base';
}

function isCheck(setting: Setting): boolean {
  return setting.kind === 'switch' && setting.default !== undefined;
}

function Input({
  setting,
  settings,
  help: helps = {},
  goesBy = {},
  rules,
}: Shown & { readonly setting: NamedSetting }): VNode {
  const { name, kind, label = '', open = '' } = setting;
  const [key, written] = writeSetting(setting, settings);
  const same = { name: setting.input ?? key, label, help: helps[name] ?? setting.help, rule: rules?.get(name) };
  const text = String(written ?? '');
  const opened = { '': written === null && goesBy[name] !== undefined ? `${open}: ${goesBy[name]}` : open };
  switch (kind) {
    case 'limit':
    case 'limit-or-base':
      return <Limit {...same} unit={setting.unit ?? ''} value={text} isText={kind === 'limit-or-base'} />;
    case 'switch': {
      if (isCheck(setting)) return <Check {...same} on={written === true} />;
      const value = written === null ? '' : written === true ? 'yes' : 'no';
      return (
        <Select {...same} value={value} options={{ ...opened, yes: setting.on ?? 'Yes', no: setting.off ?? 'No' }} />
      );
    }
    case 'choice': {
      const options = setting.default === undefined ? { ...opened, ...setting.choices } : setting.choices;
      return <Select {...same} value={text} options={options} />;
    }
    case 'flags':
      return <Text {...same} value={((settings[name] as readonly string[] | undefined) ?? []).join('\n')} lines={3} />;
    default:
      return <Text {...same} value={text} placeholder={goesBy[name] ?? open} />;
  }
}
