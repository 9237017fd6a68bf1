// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Collections and links, ordered by topic, so that each is created once.
enum CollectionWorkloads {
    static var all: [Workload] {
        IntListWorkloads.all + LinkListWorkloads.all + LinkWorkloads.all + SetWorkloads.all + MapWorkloads.all
            + FullTextWorkloads.all
    }
}
