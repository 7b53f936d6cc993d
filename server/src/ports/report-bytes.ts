/** An encoded report (report-codec). */
export type ReportBytes = Uint8Array;
