import { expect, test } from 'vitest';
import { Face, Person } from './person.tsx';
import { renderPart } from './render-parts.tsx';

const faceOf = (name: string) => renderPart(<Face name={name} />);

test.each([
  ['mona', 'M'],
  ['Jo Park', 'JP'],
  ['robin-lee van dam', 'RL'],
  ['élodie', 'É'],
  ['𝒳 y', '𝒳Y'],
  ['<script>', 'S'],
  ['—', ''],
])('%s has the initials %s', (name, initials) => {
  expect(faceOf(name)).toMatch(new RegExp(`^<span class="face( f[123])?" aria-hidden="true">${initials}</span>$`));
});

test('a bot is a square, whatever its name', () => {
  expect(faceOf('renovate[bot]')).toBe('<span class="face bot" aria-hidden="true">R</span>');
});

test('one person always has the same color, and not everybody has it', () => {
  const colors = new Set(
    ['mona', 'jo', 'sam', 'robin', 'mona'].map((name) => /class="([^"]*)"/.exec(faceOf(name))?.[1]),
  );
  expect(colors.size).toBeGreaterThan(1);
  expect(faceOf('mona')).toBe(faceOf('mona'));
});

test('a hostile name is escaped and cut', () => {
  const html = renderPart(<Person name={`<b>\u202e${'x'.repeat(300)}`} limit={20} />);
  expect(html).not.toMatch(/<b>|\u202e/);
  expect(html.length).toBeLessThan(150);
});
