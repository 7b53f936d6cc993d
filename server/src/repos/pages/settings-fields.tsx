import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { printable } from '../../core/printable.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { Icon } from '../../platform/web/icons.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import type { SettingRule } from './setting-rules.tsx';

export interface FormProps {
  readonly repo: Repo;
  readonly page: PageContext;
}

/** What a form held that was refused: it is shown again as it was sent. */
export interface SentForm {
  /** The value of its field `do`. */
  readonly what: string;
  readonly values: (name: string) => string;
  /** What is wrong, by the names of inputs. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Around the inputs of the form that was refused. */
export const Sent = createContext<SentForm | undefined>(undefined);

/** What an input holds, and what is wrong with it. */
function useSent(name: string, value: string) {
  const sent = useContext(Sent);
  const problem = sent?.problems.get(name);
  const describes = problem === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `${name}-problem` };
  return { value: sent === undefined ? value : sent.values(name), problem, describes };
}

function Problem({ name, problem }: { readonly name: string; readonly problem: string | undefined }): VNode | null {
  if (problem === undefined) return null;
  return (
    <p class="error" id={`${name}-problem`}>
      <Icon name="fail" /> <span>{printable(problem, 300)}</span>
    </p>
  );
}

/** A form for the settings of a repo. `what`: the value of its field `do`; undefined: its buttons say. */
export function Sending(
  props: FormProps & { readonly what?: string; readonly class?: string; readonly children: ComponentChildren },
): VNode {
  const { repo, page, what, children } = props;
  return (
    <form method="post" action={page.links.ofRepo(repo, 'settings')} class={props.class ?? 'stack'}>
      <input type="hidden" name="csrf" value={page.csrf ?? ''} />
      {what !== undefined && <input type="hidden" name="do" value={what} />}
      {children}
    </form>
  );
}

/** One section of the settings. */
export function Panel(props: {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <section class="panel" id={props.id}>
      <header>
        <h2>{props.name}</h2>
        <p>{props.about}</p>
      </header>
      <div class="in stack">{props.children}</div>
    </section>
  );
}

export function Save({ children }: { readonly children: string }): VNode {
  return (
    <div class="row">
      <button type="submit">{children}</button>
    </div>
  );
}

interface Labeled {
  readonly name: string;
  readonly label: string;
  readonly help?: string | undefined;
  /** What decides in its place. */
  readonly rule?: SettingRule | undefined;
}

/** A field, marked where it is wrong, and where the repo's own file decides: then the form sends what is stored. */
function Field(
  props: Labeled & { readonly stored: string; readonly problem?: string | undefined; readonly children: VNode },
) {
  const { name, label, help, rule, stored, problem, children } = props;
  const state = rule?.isLocked ? ' locked' : problem === undefined ? '' : ' wrong';
  return (
    <div class={`field${state}`}>
      <label for={name}>{label}</label>
      {children}
      {rule?.isLocked && <input type="hidden" name={name} value={stored} />}
      <Problem name={name} problem={problem} />
      {rule?.words}
      {help !== undefined && <span class="help">{help}</span>}
    </div>
  );
}

/** For an input: where a rule decides it shows the rule's value and is not sent. */
function inputOf(name: string, rule: SettingRule | undefined) {
  return rule?.isLocked ? { id: name, disabled: true } : { id: name, name };
}

export function Limit(
  props: Labeled & {
    readonly unit: string;
    readonly value: string;
    /** It may hold more than a number. */
    readonly isText?: boolean;
  },
): VNode {
  const { name, unit, rule, isText = false } = props;
  const { value, problem, describes } = useSent(name, props.value);
  return (
    <Field {...props} stored={value} problem={problem}>
      <span>
        <input
          class="short"
          {...inputOf(name, rule)}
          inputMode={isText ? 'text' : 'decimal'}
          value={rule?.isLocked ? rule.value : value}
          {...describes}
        />
        <span class="unit">{unit}</span>
      </span>
    </Field>
  );
}

export function Text(
  props: Labeled & {
    readonly value: string;
    readonly placeholder?: string;
    /** How many it has, if it may have more than one. */
    readonly lines?: number;
  },
): VNode {
  const { name, placeholder, lines } = props;
  const { value, problem, describes } = useSent(name, props.value);
  return (
    <Field {...props} stored={value} problem={problem}>
      {lines === undefined ? (
        <input id={name} name={name} value={value} placeholder={placeholder} size={24} {...describes} />
      ) : (
        <textarea id={name} name={name} rows={lines} {...describes}>
          {value}
        </textarea>
      )}
    </Field>
  );
}

export function Select(
  props: Labeled & { readonly value: string; readonly options: Readonly<Record<string, string>> },
): VNode {
  const { name, options } = props;
  const { value, problem, describes } = useSent(name, props.value);
  return (
    <Field {...props} stored={value} problem={problem}>
      <select id={name} name={name} {...describes}>
        {Object.entries(options).map(([option, words]) => (
          <option value={option} selected={option === value}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  );
}

export function Check(props: Labeled & { readonly on: boolean }): VNode {
  const { name, label, help, rule } = props;
  const on = useSent(name, props.on ? 'on' : '').value === 'on';
  const isLocked = rule?.isLocked === true;
  const isOn = isLocked ? rule.value === 'yes' : on;
  return (
    <>
      <label class="choice">
        <input type="checkbox" {...named(name, isLocked)} value="on" checked={isOn} />{' '}
        <span>
          {label}
          {help !== undefined && <span class="help">{help}</span>}
        </span>
      </label>
      {isLocked && on && <input type="hidden" name={name} value="on" />}
      {rule?.words}
    </>
  );
}

/** A choice that is locked is not sent. */
function named(name: string, isLocked: boolean) {
  return isLocked ? { disabled: true } : { name };
}

export function Radio(props: {
  readonly name: string;
  readonly value: string;
  readonly chosen: string;
  readonly label: string;
  readonly help?: VNode | string;
  /** What decides in place of all of its name. */
  readonly rule?: SettingRule | undefined;
}): VNode {
  const { name, value, label, help, rule } = props;
  const sent = useSent(name, props.chosen).value;
  const isLocked = rule?.isLocked === true;
  const chosen = isLocked ? rule.value : sent;
  return (
    <label class="choice">
      <input type="radio" {...named(name, isLocked)} value={value} checked={value === chosen} />{' '}
      <span>
        {label}
        {help !== undefined && <span class="help">{help}</span>}
      </span>
    </label>
  );
}

/** An input without a label of its own, in a row of several. */
export function Cell(props: {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly placeholder: string;
  readonly size: number;
  readonly isNumber?: boolean;
}): VNode {
  const { name, label, placeholder, size, isNumber = false } = props;
  const { value, describes } = useSent(name, props.value);
  const decimal = isNumber && { class: 'short', inputMode: 'decimal' as const };
  const input = { name, value, placeholder, size, 'aria-label': label, ...decimal, ...describes };
  return <input {...input} />;
}

/** What is wrong with the inputs of a row. */
export function RowProblems({ names }: { readonly names: readonly string[] }): VNode {
  const sent = useContext(Sent);
  return (
    <>
      {names.map((name) => (
        <Problem name={name} problem={sent?.problems.get(name)} />
      ))}
    </>
  );
}
