/** The words before what is to be done. */
export const REMEDY = 'to do:';
