import type { Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

/** A message of MongoDB's wire protocol. */
export interface Message {
  readonly id: number;
  /** The id of the message that it answers; 0: of none. */
  readonly answers: number;
  /** Where it is the command `bulkWrite`: with its sequences of documents as lists. */
  command(): Document | undefined;
  /** The document of a message without sequences. */
  body(): Document;
}

const HEADER = 16;
const OP_MSG = 2013;
/** Behind the header and the flags. */
const SECTIONS = HEADER + 4;
/** The kinds of sections: one document, or a named sequence of them. */
const [BODY, SEQUENCE] = [0, 1] as const;
/** The command's name is its first field. */
const BULK_WRITE = Buffer.from('bulkWrite\u0000', 'latin1');
/** Numbers stay of the type that they have. */
const AS_IT_IS = { promoteValues: false, promoteLongs: false };

let lastId = 0x4000_0000;

/** What a socket brings, message by message. */
export async function* readMessages(socket: Socket): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    pieces.push(chunk);
    size += chunk.length;
    for (;;) {
      if (size < 4) break;
      if ((pieces[0]?.length ?? 0) < 4) pieces = [Buffer.concat(pieces)];
      const wanted = pieces[0]?.readInt32LE(0) ?? 0;
      if (size < wanted) break;
      const all = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
      yield all.subarray(0, wanted);
      size -= wanted;
      pieces = size === 0 ? [] : [all.subarray(wanted)];
    }
  }
}

export function messageOf(bytes: Buffer): Message {
  const isBulkWrite = () =>
    bytes.readInt32LE(12) === OP_MSG && bytes.subarray(SECTIONS, SECTIONS + 32).includes(BULK_WRITE);
  return {
    id: bytes.readInt32LE(4),
    answers: bytes.readInt32LE(8),
    command: () => (isBulkWrite() ? readSections(bytes) : undefined),
    body: () => BSON.deserialize(bytes.subarray(SECTIONS + 1)),
  };
}

/** With a new id. */
export function toMessage(document: Document, answers = 0): Buffer {
  lastId += 1;
  const body = BSON.serialize(document, { ignoreUndefined: true });
  const head = Buffer.alloc(SECTIONS + 1);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(lastId, 4);
  head.writeInt32LE(answers, 8);
  head.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([head, body]);
}

function readSections(bytes: Buffer): Document {
  const command: Document = {};
  let at = SECTIONS;
  while (at < bytes.length) {
    const kind = bytes[at];
    const size = bytes.readInt32LE(at + 1);
    const section = bytes.subarray(at + 1, at + 1 + size);
    if (kind === BODY) Object.assign(command, BSON.deserialize(section, AS_IT_IS));
    else if (kind === SEQUENCE) Object.assign(command, readSequence(section));
    else throw new Error(`a section of kind ${kind} is not known`);
    at += 1 + size;
  }
  return command;
}

function readSequence(section: Buffer): Document {
  const end = section.indexOf(0, 4);
  const documents: Document[] = [];
  for (let at = end + 1; at < section.length; at += section.readInt32LE(at))
    documents.push(BSON.deserialize(section.subarray(at, at + section.readInt32LE(at)), AS_IT_IS));
  return { [section.toString('utf8', 4, end)]: documents };
}
