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

/** Applies theme and density before the first paint. The key is the one in lib/client/browser-settings. */
const APPEARANCE = `try{var s=JSON.parse(localStorage.getItem('mcp-inspect.settings')),d=document.documentElement.dataset;if(s.theme==='light'||s.theme==='dark')d.theme=s.theme;if(s.density==='compact')d.density=s.density}catch(e){}`;

/** The page's frame. The proxy hashes its inline scripts into the content security policy. */
export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    // A script sets attributes before React hydrates.
    <html lang="en" className={`${GeistSans.variable} ${GeistMono.variable}`} suppressHydrationWarning>
      <head>
        <script>{TRUSTED_TYPES}</script>
        <script>{APPEARANCE}</script>
      </head>
      <body>{children}</body>
    </html>
  );
}
