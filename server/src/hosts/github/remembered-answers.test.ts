import { expect, test } from 'vitest';
import { createRememberedAnswers, createSharedAnswers, type RememberedLimits } from './remembered-answers.ts';

/** A host whose answers have their text as ETag. */
function startHost(limits?: RememberedLimits) {
  const texts = new Map<string, string>();
  const asked: (readonly [string, string | null])[] = [];
  const sending: typeof fetch = async (input, init) => {
    const known = new Headers(init?.headers).get('if-none-match');
    asked.push([String(input), known]);
    const text = texts.get(String(input));
    if (text === undefined) return new Response('none', { status: 404, headers: { etag: '"404"' } });
    if (known === `"${text}"`) return new Response(null, { status: 304 });
    return new Response(text, { headers: { etag: `"${text}"`, 'content-type': 'text/plain', link: '<next>' } });
  };
  const remembering = createRememberedAnswers(limits)(sending);
  const read = async (address: string) => (await remembering(address, { headers: { accept: 'text/plain' } })).text();
  return { texts, asked, read, remembering };
}

test('an answer is confirmed, and given again with its headers', async () => {
  const { texts, asked, read, remembering } = startHost();
  texts.set('a', 'one');
  expect(await read('a')).toBe('one');
  const again = await remembering('a');
  expect([again.status, await again.text(), again.headers.get('link')]).toEqual([200, 'one', '<next>']);
  expect(asked).toEqual([
    ['a', null],
    ['a', '"one"'],
  ]);
});

test('a changed answer replaces the one that is known', async () => {
  const { texts, asked, read } = startHost();
  texts.set('a', 'one');
  await read('a');
  texts.set('a', 'two');
  expect([await read('a'), await read('a')]).toEqual(['two', 'two']);
  expect(asked.at(-1)).toEqual(['a', '"two"']);
});

test('refusals and answers without an ETag are passed on and not kept', async () => {
  const { asked, read } = startHost();
  expect([await read('a'), await read('a')]).toEqual(['none', 'none']);
  expect(asked.at(-1)).toEqual(['a', null]);
  const plain = createRememberedAnswers()(async () => new Response('plain'));
  expect(await (await plain('a')).text()).toBe('plain');
});

test('a 304 that nobody asked for is passed on', async () => {
  const odd = createRememberedAnswers()(async () => new Response(null, { status: 304 }));
  expect((await odd('a')).status).toBe(304);
});

test('what was unused the longest goes first, by number and by length', async () => {
  const { texts, asked, read } = startHost({ maxAnswers: 2, maxCharacters: 80 });
  for (const address of ['a', 'b', 'c']) texts.set(address, address);
  for (const address of ['a', 'b', 'a', 'c', 'a', 'b']) await read(address);
  expect(asked.map(([, known]) => known)).toEqual([null, null, '"a"', null, '"a"', null]);
  const small = startHost({ maxAnswers: 100, maxCharacters: 24 });
  for (let i = 0; i < 9; i += 1) small.texts.set(`${i}`, `${i}${i}${i}`);
  for (const address of ['0', '1', '2', '3', '4', '5', '6', '7', '8', '8', '0']) await small.read(address);
  expect(small.asked.slice(-2)).toEqual([
    ['8', '"888"'],
    ['0', null],
  ]);
});

test('a long answer pushes nothing out and is not kept', async () => {
  const { texts, asked, read } = startHost({ maxAnswers: 10, maxCharacters: 80 });
  texts.set('a', 'one');
  texts.set('long', 'x'.repeat(11));
  for (const address of ['a', 'long', 'long', 'a']) await read(address);
  expect(asked.map(([, known]) => known)).toEqual([null, null, null, '"one"']);
});

test('an answer that breaks off rejects', async () => {
  const broken = createRememberedAnswers()(async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) });
    return new Response(body, { headers: { etag: '"x"' } });
  });
  await expect(broken('a')).rejects.toThrow('terminated');
});

test('sign-ins that share the limits never see each other’s answers', async () => {
  const sending: typeof fetch = async (_, init) => {
    const known = new Headers(init?.headers).get('if-none-match');
    return known === '"1"'
      ? new Response(null, { status: 304 })
      : new Response('for one', { headers: { etag: '"1"' } });
  };
  const refusing: typeof fetch = async (_, init) =>
    new Response(new Headers(init?.headers).get('if-none-match') ?? 'nothing known', { status: 404 });
  const rememberFor = createSharedAnswers({ maxAnswers: 2, maxCharacters: 1_000 });
  expect(await (await rememberFor('one')(sending)('a')).text()).toBe('for one');
  expect(await (await rememberFor('two')(refusing)('a')).text()).toBe('nothing known');
  expect(await (await rememberFor('one')(sending)('a')).text()).toBe('for one');
  // The room is one: the second answer of another replaces the oldest.
  for (const place of ['b', 'c']) await rememberFor('two')(sending)(place);
  expect(await (await rememberFor('one')(refusing)('a')).text()).toBe('nothing known');
});
