// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The lifecycle of objects: creation, embedding, opening, freezing, and reads alongside a writer.
enum LifeWorkloads {
    static var all: [Workload] {
        ResultsWorkloads.all + FrozenWorkloads.all + ReaderWorkloads.all + EmbeddedWorkloads.all + CreateWorkloads.all
            + OpenWorkloads.all
    }
}
