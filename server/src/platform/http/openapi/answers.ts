// The shapes of answers: as people and generators of clients read them, and as presenters make them (Answer). Answers
// are not checked by them; a test holds that every answer has its shape. The types of shared are what our own action
// reads, of earlier servers too.
export * from './build-answers.ts';
export * from './build-parts.ts';
export * from './history-answers.ts';
export * from './repo-answers.ts';
export * from './repo-answers.ts';
export * from './server-answers.ts';
export * from './upload-answers.ts';
