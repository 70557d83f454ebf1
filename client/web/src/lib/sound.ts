/** Short, soft sounds, made here: a card is a brush, a chip a click, your turn two notes. */

export type Sound = 'card' | 'chip' | 'check' | 'fold' | 'turn' | 'win';

/** The same sound again so soon after is not heard: several tables would make a rattle. */
const APART_S = 0.08;

let context: AudioContext | null = null;
const heardAt = new Map<Sound, number>();
let noise: AudioBuffer | null = null;

/** Plays nothing before the reader has touched the page: browsers forbid it. */
export function play(sound: Sound, volume: number, delayMs = 0): void {
  if (volume <= 0 || typeof AudioContext === 'undefined' || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  const at = context.currentTime + delayMs / 1000;
  if (at - (heardAt.get(sound) ?? -Infinity) < APART_S) return;
  heardAt.set(sound, at);
  const loud = volume * volume;
  if (sound === 'card') brush(context, at, 0.09, 3200, 0.22 * loud);
  else if (sound === 'fold') brush(context, at, 0.14, 1500, 0.16 * loud);
  else if (sound === 'chip') [0, 0.045].forEach((gap) => tone(context, at + gap, 2100, 0.05, 0.12 * loud, 'triangle'));
  else if (sound === 'check') [0, 0.11].forEach((gap) => tone(context, at + gap, 190, 0.06, 0.35 * loud, 'sine'));
  else if (sound === 'turn') [659, 880].forEach((pitch, i) => tone(context, at + i * 0.13, pitch, 0.22, 0.2 * loud, 'sine'));
  else [523, 659, 784].forEach((pitch, i) => tone(context, at + i * 0.09, pitch, 0.3, 0.12 * loud, 'sine'));
}

function tone(on: AudioContext | null, at: number, pitch: number, length: number, loud: number, shape: OscillatorType): void {
  if (!on) return;
  const source = on.createOscillator();
  source.type = shape;
  source.frequency.value = pitch;
  through(on, source, at, length, loud);
}

function brush(on: AudioContext, at: number, length: number, pitch: number, loud: number): void {
  noise ??= white(on);
  const source = on.createBufferSource();
  source.buffer = noise;
  const filter = on.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  filter.Q.value = 0.8;
  source.connect(filter);
  through(on, source, at, length, loud, filter);
}

function through(on: AudioContext, source: AudioScheduledSourceNode, at: number, length: number, loud: number, last: AudioNode = source): void {
  const gain = on.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  last.connect(gain).connect(on.destination);
  source.start(at);
  source.stop(at + length + 0.02);
}

function white(on: AudioContext): AudioBuffer {
  const buffer = on.createBuffer(1, on.sampleRate / 4, on.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return buffer;
}
