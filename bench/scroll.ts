import type { Page } from '@playwright/test';

/** From the first row of the message table to the last and back, a step an animation frame. */
export function scrollThrough(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const grid = document.querySelector('[role=grid]')!;
        const steps = 300;
        let step = 0;
        const move = () => {
          grid.scrollTop = (grid.scrollHeight * (steps - Math.abs(steps - step))) / steps;
          if (step++ < 2 * steps) requestAnimationFrame(move);
          else resolve();
        };
        grid.scrollTop = 0;
        requestAnimationFrame(move);
      }),
  );
}
