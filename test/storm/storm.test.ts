import { storms } from './sweep.ts';

storms(0);
