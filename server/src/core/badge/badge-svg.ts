import type { Badge, BadgeLevel } from './badge.ts';
import { textWidth } from './text-width.ts';

const HEIGHT = 20;
const FONT_SIZE = 11;
/** Left and right of each text, in pixels. */
const PADDING = 6;

const COLORS: Readonly<Record<BadgeLevel, string>> = {
  full: '#4c1',
  high: '#97ca00',
  good: '#a4a61d',
  fair: '#dfb317',
  low: '#fe7d37',
  poor: '#e05d44',
  none: '#9f9f9f',
};

/** The badge as an SVG that loads nothing. Equal badges have equal texts, so that a hash identifies one. */
export function renderBadge({ label, message, level }: Badge): string {
  const left = boxWidth(label);
  const right = boxWidth(message);
  const width = left + right;
  const title = escapeXml(`${label}: ${message}`);
  // The id contains the width: if several badges are in one document, equal ids must mean the same.
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    '<linearGradient id="shade" x2="0" y2="100%">',
    '<stop offset="0" stop-color="#bbb" stop-opacity=".1"/><stop offset="1" stop-opacity=".1"/></linearGradient>',
    `<clipPath id="corners-${width}"><rect width="${width}" height="${HEIGHT}" rx="3"/></clipPath>`,
    `<g clip-path="url(#corners-${width})">`,
    `<rect width="${left}" height="${HEIGHT}" fill="#555"/>`,
    `<rect x="${left}" width="${right}" height="${HEIGHT}" fill="${COLORS[level]}"/>`,
    `<rect width="${width}" height="${HEIGHT}" fill="url(#shade)"/></g>`,
    `<g text-anchor="middle" font-family="Verdana,Geneva,'DejaVu Sans',sans-serif" font-size="${FONT_SIZE}">`,
    textAt(label, left / 2),
    textAt(message, left + right / 2),
    '</g></svg>\n',
  ].join('');
}

/** With a shadow, so that it reads well on light colors. */
function textAt(text: string, center: number): string {
  const place = `x="${center}" textLength="${Math.round(textWidth(text, FONT_SIZE))}"`;
  const words = escapeXml(text);
  return (
    `<text ${place} y="15" fill="#010101" fill-opacity=".3" aria-hidden="true">${words}</text><text ${place} ` +
    `y="14" fill="#fff">${words}</text>`
  );
}

function boxWidth(text: string): number {
  return Math.round(textWidth(text, FONT_SIZE)) + 2 * PADDING;
}

/** What XML 1.0 has no way to write, lone surrogates included. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A flag's name is hostile text (rule 26). */
function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
