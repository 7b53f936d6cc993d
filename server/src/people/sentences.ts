export const LINK_OVER = 'This sign-in link has been used or has expired. Create another one.';
