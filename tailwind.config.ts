import type { Config } from 'tailwindcss';

/** Files with classes, and the font families that next/font sets at run time. Design tokens are in app/globals.css. */
export default {
  content: ['./app/**/*.tsx', './components/**/*.{ts,tsx}'],
  theme: {
    extend: {
      fontFamily: { sans: ['var(--font-geist-sans)', 'system-ui'], mono: ['var(--font-geist-mono)', 'ui-monospace'] },
    },
  },
} satisfies Config;
