import { transportExam } from './transport.exam.ts';
import { openWireTransport } from './wire.ts';

transportExam('wire', openWireTransport);
