import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** Elements that a person presses or types into. */
export const TARGETS =
  'button, a[href], input, select, textarea, summary, [role=tab], [role=option], [role=menuitem], [role=menuitemcheckbox]';
/** Rows of the log and of trees, text inside a sentence, and the JSON editor, which draws its own. */
const EXCEPTED = '[role=row], [role=tree], [role=treeitem], [data-json-tree], .monaco-editor';

/** Returns the targets in view that are smaller than 24 × 24 px, as far as a pointer can reach them. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(
    ([targets, excepted]) => {
      const small: string[] = [];
      for (const element of document.querySelectorAll<HTMLElement>(targets!)) {
        if (element.closest(excepted!) || element.closest('[inert]')) continue;
        if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        if (getComputedStyle(element).display === 'inline') continue;
        const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
        const [box] = [element, ...labels]
          .map((part) => part.getBoundingClientRect())
          .sort((a, b) => Math.min(b.width, b.height) - Math.min(a.width, a.height)) as [DOMRect];
        const isInView =
          box.width > 1 && box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight;
        if (!isInView || (box.width >= 24 && box.height >= 24)) continue;
        const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40);
        small.push(`${element.tagName} “${name}” ${Math.round(box.width)} × ${Math.round(box.height)}`);
      }
      return small;
    },
    [TARGETS, EXCEPTED],
  );
}

/** Smallest size of a text, in px. */
const TEXT = 12;

/** Returns the visible texts that are smaller than 12 px, apart from icons and what Monaco draws. */
export function smallTexts(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const small: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const own = [...element.childNodes].filter((node) => node instanceof Text && /\w/.test(node.data));
      if (own.length === 0 || element.closest('.monaco-editor, svg, .sr-only')) continue;
      const size = Number.parseFloat(getComputedStyle(element).fontSize);
      if (size < least && element.checkVisibility()) small.push(`${size} px: ${element.textContent.slice(0, 40)}`);
    }
    return small;
  }, TEXT);
}

/** Lowest contrast of a text with its background. */
const CONTRAST = 4.5;

/**
 * Returns the texts with a contrast below 4.5, in view or not, computed from the colours behind them. Unlike axe it is
 * never undecided, and it takes a hundredth of the time. Disabled controls are left out.
 */
export function lowContrast(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    type Colour = readonly [red: number, green: number, blue: number, alpha: number];
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    const colours = new Map<string, Colour>();
    const colourOf = (css: string): Colour => {
      const known = colours.get(css);
      if (known) return known;
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = css;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      const colour: Colour = [red!, green!, blue!, alpha! / 255];
      colours.set(css, colour);
      return colour;
    };
    const over = ([r, g, b, a]: Colour, under: Colour): Colour => [
      r * a + under[0] * (1 - a),
      g * a + under[1] * (1 - a),
      b * a + under[2] * (1 - a),
      1,
    ];
    const luminance = (colour: Colour) => {
      const [r, g, b] = colour.slice(0, 3).map((channel) => {
        const share = channel / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
    };
    interface Ground {
      readonly colour: Colour;
      readonly opacity: number;
    }
    const grounds = new Map<Element, Ground>();
    /** Returns the colour behind an element's text, and how opaque the element is. */
    const groundOf = (element: Element): Ground => {
      const known = grounds.get(element);
      if (known) return known;
      const { backgroundColor, opacity } = getComputedStyle(element);
      const around = element.parentElement ? groundOf(element.parentElement) : { colour: WHITE, opacity: 1 };
      const ground = {
        colour: over(colourOf(backgroundColor), around.colour),
        opacity: around.opacity * Number(opacity),
      };
      grounds.set(element, ground);
      return ground;
    };
    const WHITE: Colour = [255, 255, 255, 1];
    const faults = new Set<string>();
    /** Adds this text if it has too little contrast. `pseudo` draws it, if the element itself doesn't. */
    const judge = (text: string, element: Element, box: DOMRect, pseudo?: string) => {
      if (text.trim() === '' || box.width < 2) return;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return;
      if (element.closest('.sr-only, [aria-disabled=true], :disabled, [inert], script, style')) return;
      const [red, green, blue, alpha] = colourOf(getComputedStyle(element, pseudo).color);
      // The text below marks of the filter is drawn by the box itself.
      if (alpha === 0) return;
      const { colour: under, opacity } = groundOf(element);
      const [dark, light] = [luminance(over([red, green, blue, alpha * opacity], under)), luminance(under)].sort(
        (a, b) => a - b,
      ) as [number, number];
      const contrast = (light + 0.05) / (dark + 0.05);
      if (contrast < least) faults.add(`${contrast.toFixed(2)} “${text.trim().slice(0, 40)}”`);
    };
    const root = document.querySelector('dialog[open]') ?? document.body;
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      range.selectNodeContents(text);
      if (text.parentElement) judge(text.data, text.parentElement, range.getBoundingClientRect());
    }
    for (const control of root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
      if (control.matches('[type=checkbox], [type=radio], [type=range]')) continue;
      const box = control.getBoundingClientRect();
      if (control.value === '') judge(control.placeholder, control, box, '::placeholder');
      else judge(control.value, control, box);
    }
    return [...faults];
  }, CONTRAST);
}

/** Returns axe's violations, and the texts of low contrast in both themes. Leaves the page in the dark theme. */
export async function faults(page: Page): Promise<string[]> {
  // Legacy mode skips iframes and opens no extra page. Our page has no iframes.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  // Our own test of contrast is stricter.
  const { violations } = await axe.disableRules('color-contrast').analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
  );
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await lowContrast(page)).map((text) => `${colorScheme} contrast ${text}`));
  }
  return found;
}

/** Like {@link faults}, with the targets that are too small. */
export async function accessFaults(page: Page): Promise<string[]> {
  return [...(await smallTargets(page)).map((target) => `small ${target}`), ...(await faults(page))];
}
