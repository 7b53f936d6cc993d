export type * from './close.ts';
export type * from './job.ts';
export type * from './preview.ts';
export type * from './responses.ts';
