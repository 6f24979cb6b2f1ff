import { storms } from './sweep.ts';

storms(1);
