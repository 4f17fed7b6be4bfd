// What the live view uses of uPlot.
export default class uPlot {
  constructor(options: object, data: number[][], where: Element);
  setData(data: number[][]): void;
  setSize(size: { width: number, height: number }): void;
  destroy(): void;
}
