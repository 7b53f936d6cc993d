import type { VNode } from 'preact';
import { printable } from '../../core/printable.ts';
import type { PageContext } from './page-context.ts';

/** What every form that changes something must hold. */
export function Csrf({ page }: { readonly page: PageContext }): VNode {
  return <input type="hidden" name="csrf" value={page.csrf ?? ''} />;
}

/** What came of a form that was sent. */
export function Notice({ kind, text }: { readonly kind: 'good' | 'bad'; readonly text: string }): VNode {
  return (
    <section class={`tight note ${kind}`} role={kind === 'good' ? 'status' : 'alert'}>
      <p>{printable(text, 400)}</p>
    </section>
  );
}

/** A button that sends one thing, with what it is about for screen readers. */
export function ActionButton(props: {
  readonly page: PageContext;
  readonly action: string;
  readonly label: string;
  readonly about: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** As `plain danger`. */
  readonly class?: string;
}): VNode {
  const { page, action, label, about, fields = {} } = props;
  return (
    <form method="post" action={action}>
      <Csrf page={page} />
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class={props.class ?? 'plain'}>
        {label}
        <span class="sr"> {printable(about, 100)}</span>
      </button>
    </form>
  );
}
