import { answersExam } from './exam/answers.exam.ts';
import { brokenAnswersExam } from './exam/broken-answers.exam.ts';
import { codingsExam } from './exam/codings.exam.ts';
import { connectionsExam } from './exam/connections.exam.ts';
import { memoryExam } from './exam/memory.exam.ts';
import { noAnswerExam } from './exam/no-answer.exam.ts';
import { onTheWireExam } from './exam/on-the-wire.exam.ts';
import { type Exceptions, type OpenTransport, settingOf } from './exam/setting.exam.ts';
import { stoppingExam } from './exam/stopping.exam.ts';
import { tlsAndProxiesExam } from './exam/tls-and-proxies.exam.ts';
import { unaskedAnswersExam } from './exam/unasked-answers.exam.ts';

/** The exam of every transport of HTTP/1.1, over real sockets against faulty servers that write it byte by byte. */
export function transportExam(name: string, open: OpenTransport, exceptions: Exceptions = {}): void {
  const setting = settingOf(open, exceptions);
  onTheWireExam(name, setting);
  answersExam(name, setting);
  codingsExam(name, setting);
  brokenAnswersExam(name, setting);
  unaskedAnswersExam(name, setting);
  memoryExam(name, setting);
  noAnswerExam(name, setting);
  connectionsExam(name, setting);
  stoppingExam(name, setting);
  tlsAndProxiesExam(name, setting);
}
