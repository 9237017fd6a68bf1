// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// How objects come into being, are embedded, opened, frozen, and read beside a writer.
enum LifeWorkloads {
    static var all: [Workload] {
        ResultsWorkloads.all + FrozenWorkloads.all + ReaderWorkloads.all + EmbeddedWorkloads.all + CreateWorkloads.all
            + OpenWorkloads.all
    }
}
