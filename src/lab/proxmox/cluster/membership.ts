import type { Host } from '../host.ts';

/** Whether one host sees another one in the cluster; who is cut off sees nobody but itself. */
export const sees = (viewer: Host, other: Host): boolean => viewer === other || (inTouch(viewer) && inTouch(other));

// The programs of a frozen host hang; that it is there is told by another one, which does not.
const inTouch = ({ state }: Host): boolean => state === 'up' || state === 'frozen';
