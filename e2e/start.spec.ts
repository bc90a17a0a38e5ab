import { demoCommand, expect, test } from './bin';
import { Workbench } from './workbench';

test('the launch link opens the page, connects the server, and is removed from the address', async ({ open }) => {
  const { bin, page } = await open(demoCommand());
  await expect(new Workbench(page).serversButton).toBeVisible();
  await expect(page.getByRole('grid').getByRole('row').filter({ hasText: 'tools/list' }).first()).toBeVisible();
  expect(page.url()).not.toContain('launch');
  expect(bin.stderr()).toBe('');
});

test('a launch link works once; the page can request another in the terminal', async ({ open, browser }) => {
  const { bin, page } = await open(['--demo']);
  await expect(new Workbench(page).serversButton).toBeVisible();
  const stranger = await browser.newPage();
  await stranger.goto(bin.link);
  await stranger.getByRole('button', { name: 'Print a new link in the terminal' }).click();
  await expect.poll(() => bin.stderr()).toMatch(/A page asks for a new link: http\S+/);
  const [fresh] = /http\S+/.exec(bin.stderr())!;
  expect(fresh).not.toBe(bin.link);
  await stranger.goto('about:blank');
  await stranger.goto(fresh);
  await expect(new Workbench(stranger).serversButton).toBeVisible();
  await stranger.close();
});
