export const KEY_FORM = '64 hexadecimal or 44 base64 characters (32 bytes), as `openssl rand -hex 32` prints them';
