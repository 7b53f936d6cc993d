import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser that tests and screenshots use: CHROMIUM, else one on PATH. A path, or undefined. */
export function findChromium(environment = process.env) {
  const { CHROMIUM, PATH = '' } = environment;
  const places = PATH.split(delimiter).filter((folder) => folder !== '');
  const candidates = CHROMIUM ? [CHROMIUM] : places.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
