/** CloudWatch lays widgets out on 24 columns. */
export const FULL_WIDTH = 24;
export const HEIGHT = 6;
