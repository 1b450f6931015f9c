import { examine } from './collector.exam.ts';
import { collectorNames } from './collectors/index.ts';

for (const name of collectorNames) examine(name);
