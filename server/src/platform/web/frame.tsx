import type { VNode } from 'preact';
import { IconSprite } from './icons.tsx';
import type { PageContext } from './page-context.ts';
import { PageHead, type Unfurling } from './page-head.tsx';
import { type Crumb, PageTop, type Tab, TabBar } from './page-top.tsx';
import { type Part, renderPart, renderParts } from './render-parts.tsx';

/** What stands around the main part of a page. Every text may be hostile. */
export interface Frame {
  /** For the browser's window, before the service's name. */
  readonly title: string;
  /** The way here, the last one being this page. Without any the service's name stands there. */
  readonly crumbs?: readonly Crumb[];
  /** The pages of one repo. */
  readonly tabs?: readonly Tab[];
  /** For the front page, which has a search field of its own. */
  readonly isHome?: boolean;
  /** What others show of a link to this page; left out where a stranger may not read it. */
  readonly unfurling?: Unfurling | undefined;
  /** Address of an SVG in the color of the verdict; the service's mark where undefined. */
  readonly favicon?: string;
  /** It will say something else by itself. */
  readonly follows?: boolean;
}

/**
 * A whole page as HTML text, in pieces that are rendered as they are asked for. Everything in the frame and the parts
 * is escaped by the renderer.
 */
export function* renderPage(page: PageContext, frame: Frame, main: Iterable<Part>): Generator<string> {
  const { crumbs = [], tabs, isHome } = frame;
  yield `<!doctype html><html lang="en">${renderPart(headOf(page, frame))}`;
  yield `<body${isHome ? ' class="home"' : ''}>`;
  yield renderPart(
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <IconSprite />
      <PageTop page={page} crumbs={crumbs} alone={tabs === undefined} />
      {tabs !== undefined && <TabBar tabs={tabs} />}
    </>,
  );
  yield '<main class="wrap" id="main">';
  yield* renderParts(main);
  yield `</main>${renderPart(<Foot page={page} />)}</body></html>`;
}

function headOf(page: PageContext, { title, unfurling, favicon, follows = false }: Frame): VNode {
  return <PageHead page={page} title={title} unfurling={unfurling} favicon={favicon} follows={follows} />;
}

function Foot({ page: { links, site, viewer } }: { readonly page: PageContext }): VNode {
  return (
    <>
      <Keys />
      <footer class="foot">
        <div class="wrap">
          <a href={links.home()}>Repos</a>
          <a href={links.docs()}>Docs</a>
          <a href={links.api()}>API</a>
          {viewer?.administrator && <a href={links.admin()}>Administration</a>}
          <button type="button" class="aslink" popovertarget="keys">
            Keyboard shortcuts
          </button>
          <span class="end">
            {site.host} · version {site.version}
          </span>
        </div>
      </footer>
    </>
  );
}

const KEYS: Readonly<Record<string, readonly (readonly [key: string, what: string])[]>> = {
  Everywhere: [
    ['/', 'Search'],
    ['t', 'Find a file'],
    ['?', 'These shortcuts'],
    ['Esc', 'Close'],
  ],
  'Lines and files': [
    ['n', 'Next missed line'],
    ['p', 'Previous missed line'],
    ['j', 'Next file'],
    ['k', 'Previous file'],
    ['x', 'Fold or unfold the file'],
  ],
  Builds: [
    ['c', 'Next failing check'],
    ['a', 'All lines to cover'],
    ['y', 'Copy the link to this page'],
  ],
};

/** Opened by a button, which works without script, or by `?`. */
function Keys(): VNode {
  return (
    <div class="keysdialog" popover id="keys" role="dialog" aria-labelledby="keys-title">
      <header>
        <h2 id="keys-title">Keyboard shortcuts</h2>
        <button type="button" popovertarget="keys" popovertargetaction="hide">
          Close
        </button>
      </header>
      <div class="cols">
        {Object.entries(KEYS).map(([group, keys]) => (
          <div>
            <h3>{group}</h3>
            <dl>
              {keys.map(([key, what]) => (
                <>
                  <dt>{what}</dt>
                  <dd>
                    <kbd>{key}</kbd>
                  </dd>
                </>
              ))}
            </dl>
          </div>
        ))}
      </div>
    </div>
  );
}
