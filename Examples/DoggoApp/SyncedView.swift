// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import SwiftUI

/// The register of a server: its current state if the server can be reached, otherwise the state on this device.
struct SyncedView: View {
    @AutoOpen(
        appId: Register.appId, partitionValue: "doggo", configuration: Register.synchronised, timeout: 4000)
    var register

    var body: some View { OpeningView(state: register) }
}

/// The register once it's open, and the state of its opening before.
struct OpeningView: View {
    let state: AsyncOpenState

    var body: some View {
        switch state {
        case .connecting: ProgressView("Connecting…")
        case .progress(let progress): ProgressView("Downloading…", value: progress.fractionCompleted)
        case .waitingForUser: LoginView()
        case .open(let realm): ContentView().environment(\.realm, realm)
        case .error(let error): Text("The register could not be opened: \(error.localizedDescription)")
        }
    }
}

/// Logs in an anonymous user, who stays logged in on this device.
struct LoginView: View {
    var didLogIn: (User) -> Void = { _ in }
    @State private var problem: String?

    var body: some View {
        if let problem {
            Text(problem)
            Button("Try again") { self.problem = nil }
        } else {
            ProgressView("Logging in…").task {
                do {
                    didLogIn(try await App(id: Register.appId).login(credentials: .anonymous))
                } catch {
                    problem = "The server does not let you in: \(error.localizedDescription)"
                }
            }
        }
    }
}
