/** What is told of the training to the metric sinks of the run. */
export type TrainingReportRules = Readonly<{
  /** Groups sent, or written, before there is something to tell. Default 2 where a trainer is fed, else 1. */
  minGroups?: number;
  /** Rollouts of a group that go into the table of rollouts; -1 = all. Default 1. */
  rolloutsPerGroup?: number;
  /** Rows of that table. Default 32. */
  rolloutsToKeep?: number;
  /** More values to go with every report, under their own names: those of model servers, for example. */
  more?: () => Readonly<Record<string, number>>;
  /** Texts that never leave this machine, such as keys; `***` stands in their place. */
  secrets?: readonly string[];
}>;
