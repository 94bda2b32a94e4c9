/** Lines of prose that are longer than this are hard to read, in cells. */
export const PROSE_CELLS_MAX = 100;
