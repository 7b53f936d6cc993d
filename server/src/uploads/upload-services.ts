import { createLimitAddress, type LimitAddress } from '../access/uploaders/limit-address.ts';
import {
  createNoteRefusal,
  createNoteTokenUse,
  createRecordUnauthenticatedUpload,
  type NoteRefusal,
  type NoteTokenUse,
  type RecordUnauthenticatedUpload,
} from '../access/uploaders/note-uploads.ts';
import type { UploaderServices } from '../access/uploaders/uploader-services.ts';
import { createMinuteRate, type MinuteRate } from '../platform/limiter.ts';

/** What uploads work with, and what this process counts and notes of them. */
export interface UploadServices extends UploaderServices {
  readonly jobRate: MinuteRate;
  readonly limitAddress: LimitAddress;
  readonly noteTokenUse: NoteTokenUse;
  readonly noteRefusal: NoteRefusal;
  readonly recordUnauthenticatedUpload: RecordUnauthenticatedUpload;
}

export function countUploads(services: UploaderServices): UploadServices {
  const { config, timers } = services;
  return {
    ...services,
    jobRate: createMinuteRate({ perMinute: config.repoLimits.jobsPerMinute, timers }),
    limitAddress: createLimitAddress(services),
    noteTokenUse: createNoteTokenUse(services),
    noteRefusal: createNoteRefusal(services),
    recordUnauthenticatedUpload: createRecordUnauthenticatedUpload(services),
  };
}
