export const LINK_OVER = 'This sign-in link was used, or is too old. Make another one.';
