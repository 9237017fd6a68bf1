// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A program: its scenes.
///
/// What it declares by `@State` and `@StateObject` lives as long as the process; each window shares it.
@MainActor @preconcurrency public protocol App {
    /// The type of its scenes.
    associatedtype Body: Scene
    /// Its scenes.
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
    /// Makes the program.
    @MainActor @preconcurrency init()
}

/// A part of a program with windows.
@MainActor @preconcurrency public protocol Scene {
    /// The type of scenes that it consists of.
    associatedtype Body: Scene
    /// The scenes that it consists of.
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Scene where Body == Never {
    /// Scenes that the toolkit knows have no body.
    public var body: Never { preconditionFailure("\(Self.self) has no body.") }
}

/// A scene that the toolkit knows.
@MainActor protocol KnownScene: Scene where Body == Never {
    /// The windows that it offers.
    @MainActor var windows: [SceneWindow] { get }
}

/// A window that a scene offers.
struct SceneWindow {
    let id: String?
    var view: any View
}

extension Scene {
    /// The windows that the scene offers; the first one is shown.
    var allWindows: [SceneWindow] { (self as? any KnownScene)?.windows ?? body.allWindows }
}

/// A kind of window. Each window has state of its own.
nonisolated public struct WindowGroup<Content>: Scene, KnownScene where Content: View {
    private var id: String?
    private let content: () -> Content

    /// Makes a kind of window.
    public init(@ViewBuilder content: @escaping () -> Content) { self.content = content }
    /// Makes a kind of window with an identity: a browser gets it at `/scene/` and the identity.
    public init(id: String, @ViewBuilder content: @escaping () -> Content) {
        (self.id, self.content) = (id, content)
    }
    /// Makes a kind of window with a title.
    public init(_ title: Text, @ViewBuilder content: @escaping () -> Content) { self.content = content }
    /// Makes a kind of window with a title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: @escaping () -> Content) {
        self.content = content
    }
    /// Makes a kind of window with a title.
    @_disfavoredOverload public init<S>(_ title: S, @ViewBuilder content: @escaping () -> Content)
    where S: StringProtocol {
        self.content = content
    }

    @MainActor var windows: [SceneWindow] { [SceneWindow(id: id, view: content())] }
}

/// What a builder makes of several scenes.
nonisolated public struct _Scenes: Scene, KnownScene {
    let scenes: [any Scene]
    @MainActor var windows: [SceneWindow] { scenes.flatMap { $0.allWindows } }
}

/// A scene whose windows are modified.
nonisolated public struct _ModifiedScene<Content>: Scene, KnownScene where Content: Scene {
    let content: Content
    let modify: (any View) -> any View
    @MainActor var windows: [SceneWindow] {
        content.allWindows.map { SceneWindow(id: $0.id, view: modify($0.view)) }
    }
}

/// Makes scenes of what a closure lists.
@resultBuilder public struct SceneBuilder {
    /// Takes a scene.
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: Scene { content }
    /// One stays what it is.
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: Scene { content }
    /// Several become one.
    public static func buildBlock<each Content>(_ content: repeat each Content) -> _Scenes
    where repeat each Content: Scene {
        var all: [any Scene] = []
        for scene in repeat each content { all.append(scene) }
        return _Scenes(scenes: all)
    }
}

extension Scene {
    nonisolated private func views(_ modify: @escaping (any View) -> any View) -> some Scene {
        _ModifiedScene(content: self, modify: modify)
    }

    /// Sets a value of the environment of all windows.
    nonisolated public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some Scene {
        views { AnyView($0).environment(keyPath, value) }
    }

    /// Runs an action with the new value when a value changes, for each window.
    nonisolated public func onChange<V>(of value: V, perform action: @escaping (_ newValue: V) -> Void) -> some Scene
    where V: Equatable {
        views { AnyView($0).onChange(of: value, perform: action) }
    }

    /// Runs an action with the old and the new value when a value changes, for each window.
    nonisolated public func onChange<V>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some Scene where V: Equatable {
        views { AnyView($0).onChange(of: value, initial: initial, action) }
    }

    /// Runs an action when a value changes, for each window.
    nonisolated public func onChange<V>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some Scene where V: Equatable {
        views { AnyView($0).onChange(of: value, initial: initial, action) }
    }

    /// Has no effect here.
    nonisolated public func commands(content: () -> Void) -> some Scene { self }
}

#if canImport(OpenCombine)
    import RegnumCombine

    extension Scene {
        /// Puts an object into the environment of all windows.
        nonisolated public func environmentObject<T>(_ object: T) -> some Scene where T: ObservableObject {
            views { AnyView($0).environmentObject(object) }
        }
    }
#endif

/// A window of a program, with the program's own properties: they survive its evaluations.
package struct AppView<A: App>: View {
    var app: A
    let shared: SharedSlots?
    private let id: String?

    /// Makes the first window of a program, or the one with an identity. All windows that are given the same slots
    /// share what the program's own properties keep.
    package init(_ app: A, id: String? = nil, shared: SharedSlots? = nil) {
        (self.app, self.id, self.shared) = (app, id, shared)
    }

    /// The window of the program.
    package var body: some View {
        if let window = app.body.allWindows.first(where: { id == nil || $0.id == id }) { AnyView(window.view) }
    }
}

extension AppView: HoldsProperties, SharesSlots {}

extension App {
    /// Whether a window has an identity.
    package func hasWindow(_ id: String) -> Bool { body.allWindows.contains { $0.id == id } }
}
