import type { PageFeature } from '../page-feature';
import { declaresSkills } from './lib/listed-skills';

/** Skills in Browse. */
export const skills: PageFeature = {
  browse: [{ id: 'skills', title: 'Skills', icon: 'bookmark', key: 'f', keepsItem: true, fits: declaresSkills }],
};
