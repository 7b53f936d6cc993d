import fc from 'fast-check';

const unit = fc.oneof(
  fc.nat(0x7f).map((code) => String.fromCharCode(code)),
  // Halves of a pair too, which no well-formed text holds.
  fc.nat(0xffff).map((code) => String.fromCharCode(code)),
  fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)),
);

/** Text of any characters. Fast-check's own (`binary`) takes a second to set up. */
export function anyText(length: { readonly minLength?: number; readonly maxLength?: number } = {}) {
  return fc.string({ ...length, unit });
}
