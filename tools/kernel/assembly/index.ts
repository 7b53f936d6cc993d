// What server/src/kernel calls. `npm run kernel` compiles it.
export { end, readBranches, readHits } from './numbers';
export { packBranches, packHits } from './pack';
