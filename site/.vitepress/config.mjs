import { defineConfig } from 'vitepress';
import { referenceItems } from '../modules.mjs';
import { repository, sidebar } from '../pages.mjs';

/** The anchor of a heading, as GitHub makes it: so a link to a heading holds in both places. */
function slugify(title) {
  return title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

export default defineConfig({
  title: 'rgs-wallet-kit',
  description: 'A seamless wallet API for casino operators, as Express middleware for Node.js',
  lang: 'en',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  base: process.env.SITE_BASE ?? '/',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: '.cache',
  metaChunk: true,
  markdown: { anchor: { slugify } },
  themeConfig: {
    outline: [2, 3],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: repository }],
    nav: [
      { text: 'Quick start', link: '/#quick-start' },
      { text: 'Guides', link: '/operators' },
      { text: 'Operations', link: '/operations' },
      { text: 'Reference', link: '/api/' },
    ],
    sidebar: sidebar().map((group) =>
      group.text === 'Reference'
        ? { ...group, items: [...group.items, ...referenceItems()] }
        : group,
    ),
  },
});
