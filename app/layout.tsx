import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import './globals.css';

export const metadata: Metadata = { title: 'mcp-inspect', referrer: 'no-referrer' };
export const viewport: Viewport = { colorScheme: 'light dark' };

/**
 * The Trusted Types policy. It allows script URLs of our own origin, including the loader's chunks. It has no rule for
 * HTML, so assigning a string as HTML throws.
 */
const TRUSTED_TYPES = `if(self.trustedTypes)trustedTypes.createPolicy('default',{createScriptURL:function(u){if(new URL(u,location.origin).origin===location.origin)return u}})`;

/** Applies the chosen theme before the first paint. The key is the one in lib/hooks/theme. */
const THEME = `try{var t=localStorage.getItem('mcp-inspect.theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`;

/** The page's frame. The proxy hashes its inline scripts into the content security policy. */
export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    // The theme script sets an attribute before React hydrates.
    <html lang="en" className={`${GeistSans.variable} ${GeistMono.variable}`} suppressHydrationWarning>
      <head>
        <script>{TRUSTED_TYPES}</script>
        <script>{THEME}</script>
      </head>
      <body>{children}</body>
    </html>
  );
}
