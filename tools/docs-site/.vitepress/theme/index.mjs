// The fonts of the reader's system: nothing is loaded for them.
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
