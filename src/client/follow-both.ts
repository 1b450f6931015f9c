import { followByPolling, type PollingEnd, type PollingOptions } from './follow-by-polling.ts';
import { followByStream, type StreamingEnd, type StreamingOptions } from './follow-by-stream.ts';

export interface BothEnds {
  readonly poll: PollingEnd;
  readonly stream: StreamingEnd;
}

/** Follows one turn both ways, side by side; neither ends the other, so that the two can be compared. */
export async function followBoth(polling: PollingOptions, streaming: StreamingOptions): Promise<BothEnds> {
  const [poll, stream] = await Promise.all([followByPolling(polling), followByStream(streaming)]);
  return { poll, stream };
}
