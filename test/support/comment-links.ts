import type { Links } from '../../server/src/core/announce/links.ts';
import { createAddresses } from '../../server/src/platform/web/addresses.ts';

const { root, build, file } = createAddresses(() => 'https://ci.example');

/** What announcements of the repo acme/shop link to. */
export const links: Links = { base: root(), build, file: (place) => file('github', 'acme/shop', place) };
