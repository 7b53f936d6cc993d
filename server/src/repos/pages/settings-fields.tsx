import type { ComponentChildren, VNode } from 'preact';
import type { Repo } from '../../core/repo/repo.ts';
import type { PageContext } from '../../platform/web/page-context.ts';

export interface FormProps {
  readonly repo: Repo;
  readonly page: PageContext;
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

export function Save({ children }: { readonly children: string }): VNode {
  return (
    <div class="row">
      <button type="submit">{children}</button>
    </div>
  );
}

interface Labelled {
  readonly name: string;
  readonly label: string;
  readonly help?: string | undefined;
}

export function Limit(
  props: Labelled & {
    readonly unit: string;
    readonly value: string;
    /** It may hold more than a number. */
    readonly isText?: boolean;
  },
): VNode {
  const { name, label, unit, value, help, isText = false } = props;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <span>
        <input class="short" id={name} name={name} inputMode={isText ? 'text' : 'decimal'} value={value} />
        <span class="unit">{unit}</span>
      </span>
      {help !== undefined && <span class="help">{help}</span>}
    </div>
  );
}

export function Text(
  props: Labelled & {
    readonly value: string;
    readonly placeholder?: string;
    /** How many it has, if it may have more than one. */
    readonly lines?: number;
  },
): VNode {
  const { name, label, value, placeholder, help, lines } = props;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {lines === undefined ? (
        <input id={name} name={name} value={value} placeholder={placeholder} size={24} />
      ) : (
        <textarea id={name} name={name} rows={lines}>
          {value}
        </textarea>
      )}
      {help !== undefined && <span class="help">{help}</span>}
    </div>
  );
}

export function Select(
  props: Labelled & { readonly value: string; readonly options: Readonly<Record<string, string>> },
): VNode {
  const { name, label, value, help, options } = props;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {Object.entries(options).map(([option, words]) => (
          <option value={option} selected={option === value}>
            {words}
          </option>
        ))}
      </select>
      {help !== undefined && <span class="help">{help}</span>}
    </div>
  );
}

export function Check(props: Labelled & { readonly on: boolean }): VNode {
  const { name, on, label, help } = props;
  return (
    <label class="choice">
      <input type="checkbox" name={name} value="on" checked={on} />{' '}
      <span>
        {label}
        {help !== undefined && <span class="help">{help}</span>}
      </span>
    </label>
  );
}

export function Radio(props: {
  readonly name: string;
  readonly value: string;
  readonly chosen: string;
  readonly label: string;
  readonly help?: VNode | string;
}): VNode {
  const { name, value, chosen, label, help } = props;
  return (
    <label class="choice">
      <input type="radio" name={name} value={value} checked={value === chosen} />{' '}
      <span>
        {label}
        {help !== undefined && <span class="help">{help}</span>}
      </span>
    </label>
  );
}
