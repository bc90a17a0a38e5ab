import type { Config } from 'tailwindcss';

/** Where classes are looked for, and the families that next/font names at run time. Tokens are in app/globals.css. */
export default {
  content: ['./app/**/*.tsx', './components/**/*.{ts,tsx}'],
  theme: {
    extend: {
      fontFamily: { sans: ['var(--font-geist-sans)', 'system-ui'], mono: ['var(--font-geist-mono)', 'ui-monospace'] },
    },
  },
} satisfies Config;
