import type { Links } from '../../server/src/domain/announce/links.ts';
import { createAddresses } from '../../server/src/http/presenters/addresses.ts';

const { root, build, file } = createAddresses(() => 'https://ci.example');

/** What announcements of the repo acme/shop link to. */
export const links: Links = { base: root(), build, file: (place) => file('github', 'acme/shop', place) };
