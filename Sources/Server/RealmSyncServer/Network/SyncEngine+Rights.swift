// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmSyncCore

    /// Changes of the rights of users.
    extension SyncEngine {
        func take(_ change: RightsChange, _ state: EngineState) {
            let concerned = state.folder.grants.filter { change.concerns($0.value) }
            for connection in concerned.keys { state.held[connection]?.isOutdated = true }
            change.begin()
            state.rights.request(concerned.values.filter { state.folder.documents(of: .init($0)) != nil }, change)
            state.rights.request(state.desk.watchers(concernedBy: change), change)
            change.end()
        }

        /// The sessions of users with other rights replace their views.
        func pump(_ changed: [StoredPartition], _ state: EngineState) {
            for documents in Dictionary(changed.map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { $1 }).values {
                state.server.pumpAll(documents)
            }
        }

        func decideRights(_ state: EngineState) {
            for grant in state.rights.takeDue() {
                Task { [self] in post(.rightsDecided(.init(grant), await gate.rights(of: grant))) }
            }
            var changed: [StoredPartition] = []
            state.rights.apply { user, decision in
                let documents = state.folder.documents(of: user)
                guard documents?.isBusy != true, state.desk.take(decision, of: user) else { return false }
                if let documents {
                    switch decision {
                    case .success(let rights):
                        if documents.rights?.grant(rights, to: user.holder) == true { changed.append(documents) }
                    case .failure(let error): state.server.fail(sessionsOf: user.holder.string, in: documents, error)
                    }
                }
                return true
            }
            pump(changed, state)
        }
    }
#endif
