import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import './globals.css';

export const metadata: Metadata = { title: 'mcp-inspect', referrer: 'no-referrer' };
export const viewport: Viewport = { colorScheme: 'light dark' };

/**
 * Under the page's Trusted Types every script URL has to pass a policy, the loader's own chunks too. Ours lets our
 * origin through; there is none for HTML, so every string that would become HTML throws.
 */
const TRUSTED_TYPES = `if(self.trustedTypes)trustedTypes.createPolicy('default',{createScriptURL:function(u){if(new URL(u,location.origin).origin===location.origin)return u}})`;

/** Before the first paint, so that a chosen theme doesn't flash. The key is that of lib/hooks/use-theme. */
const THEME = `try{var t=localStorage.getItem('mcp-inspect.theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`;

/** The page's frame. The proxy hashes its inline scripts into the content security policy. */
export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    // The theme script may have set an attribute before React is here.
    <html lang="en" className={`${GeistSans.variable} ${GeistMono.variable}`} suppressHydrationWarning>
      <head>
        <script>{TRUSTED_TYPES}</script>
        <script>{THEME}</script>
      </head>
      <body>{children}</body>
    </html>
  );
}
