/** Memory for so many bytes of a body that goes to a thread. What is in it means nothing. */
export type AllocateBody = (bytes: number) => Uint8Array<ArrayBuffer>;
