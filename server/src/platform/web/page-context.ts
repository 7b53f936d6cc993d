import type { Timestamp } from '../../core/time.ts';
import type { SiteLinks } from './site-links.ts';

/** Who looks at a page, as it greets them. */
export interface Viewer {
  readonly name: string;
  readonly administrator: boolean;
}

/** What is the same on all pages of this server. */
export interface Site {
  /** Addresses of the icon, the style sheet and the script. */
  readonly icon: string;
  readonly style: string;
  readonly script: string;
  /** For BASE_URL, as `https://coverage.example`: what is put before a link that others follow. */
  readonly origin: string;
  /** Host of BASE_URL, as `coverage.example`. */
  readonly host: string;
  readonly version: string;
  /** Whether people can sign in here. */
  readonly signIn: boolean;
}

/** What a page needs to know of the request that asks for it. */
export interface PageContext {
  readonly site: Site;
  readonly links: SiteLinks;
  /** Undefined for a stranger, and for anybody who shows a token instead of signing in. */
  readonly viewer: Viewer | undefined;
  /** To be sent by every form that changes something, in the field `csrf`; undefined without a session. */
  readonly csrf: string | undefined;
  /** Path and query of this page below BASE_URL: where signing in leads back to. */
  readonly here: string;
  readonly now: Timestamp;
}
